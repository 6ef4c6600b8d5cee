#include "cli/cli.h"

int main(int argc, char **argv)
{
	return (int)kt_main(argc, argv);
}
