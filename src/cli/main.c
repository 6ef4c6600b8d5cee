#include "cli/cli.h"

int main(int argc, char **argv)
{
	return kt_main(argc, argv);
}
