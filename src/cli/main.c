/* The command `warpsweep`: finds the subcommand, runs it, and turns its outcome into a message and an exit
 * status. */
#include "base/pages.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/usage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Opens standard streams that are closed, since the next file that is opened would otherwise take their place. Input is
 * opened for writing and output for reading, so that using them still fails. */
static void keep_standard_streams(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            return;
}

static bool asks_for_help(int argc, char **argv) {
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

/* True if whoever read the output has closed it after reading enough, as in `warpsweep dump FILE | head`. */
static bool reader_is_gone(const ws_error *err) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    return err->code == WS_ERROR_IO && ferror(stdout) && poll(&output, 1, 0) == 1 && output.revents & POLLERR;
}

static int report(const char *command, const ws_error *err) {
    if (!reader_is_gone(err)) fprintf(stderr, "warpsweep%s%s: %s\n", *command ? " " : "", command, err->text);
    return ws_error_exit_status(err->code);
}

static int run(const cli_command *command, int argc, char **argv) {
    ws_error err = WS_NO_ERROR;
    cli_args args;
    int status = 0;
    if (asks_for_help(argc, argv)) {
        cli_print_command(command, stdout);
    } else if (!cli_parse(command, argc, argv, &args, &err)) {
        status = report(command->name, &err);
        cli_print_usage(command, stderr);
        return status;
    } else {
        status = command->run(&args, &err);
    }
    if (err.code == WS_ERROR_NONE) cli_flush_output(&err);
    return err.code == WS_ERROR_NONE ? status : report(command->name, &err);
}

int main(int argc, char **argv) {
    keep_standard_streams();
    ws_pages_keep();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error like any other, */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow (ulimit -f) */
    signal(SIGCHLD, SIG_DFL); /* if it were ignored, nobody would learn how a worker, or gnuplot, has ended */
    cli_end_tidily();
    ws_error err = WS_NO_ERROR;
    const char *name = argc > 1 ? argv[1] : "";
    if (!*name) {
        cli_print_overview(stderr);
        return ws_error_exit_status(WS_ERROR_USAGE);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) name = "version";
    const cli_command *command = cli_command_find(name, &err);
    return command ? run(command, argc, argv) : report("", &err);
}
