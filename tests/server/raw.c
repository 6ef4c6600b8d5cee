/* What no HTTP library sends: answers each connection with the bytes of a file.
 *
 *   rawserver FILE
 *
 * Listens on 127.0.0.1, prints the port, ends when its stdin is closed.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

#include "base/banned.h"

/* Reads the request until it pauses: so much manners even this server has. */
static void swallow(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char chunk[4096];

	while (poll(&p, 1, 100) > 0 && read(fd, chunk, sizeof chunk) > 0)
		;
}

static int listen_anywhere(unsigned *port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof at;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 || listen(fd, 8) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &len) < 0)
		return -1;
	*port = ntohs(at.sin_port);
	return fd;
}

int main(int argc, char **argv)
{
	struct kt_buf bytes = KT_BUF(1u << 20);
	struct kt_err err = {0};
	unsigned port = 0;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	if (argc != 2 || kt_file_read(argv[1], &bytes, &err) < 0 || (fd = listen_anywhere(&port)) < 0) {
		fprintf(stderr, "rawserver: %s\n", err.text);
		return 2;
	}
	printf("%u\n", port);
	fflush(stdout);
	struct pollfd p[2] = {{STDIN_FILENO, POLLIN, 0}, {fd, POLLIN, 0}};
	while (poll(p, 2, -1) >= 0 && !p[0].revents) {
		int c = accept(fd, NULL, NULL);
		if (c < 0)
			continue;
		swallow(c);
		if (kt_write_all(c, bytes.p, bytes.len) < 0)
			fprintf(stderr, "rawserver: the other side left\n");
		close(c);
	}
	close(fd);
	kt_buf_free(&bytes);
	return 0;
}
