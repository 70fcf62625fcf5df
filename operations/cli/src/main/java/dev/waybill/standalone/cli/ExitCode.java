package dev.waybill.standalone.cli;

/** The exit codes of the process. Programs rely on these numbers: none is ever given another meaning. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int BAD_INPUT = 2;
    static final int NOT_FOUND = 3;
    static final int BUSY = 4;
    static final int UNREACHABLE = 5;
    static final int NOT_CONFIRMED = 6;

    /** Something should be looked at, or could not be changed as far as was asked for. */
    static final int WARNINGS = 10;

    /** Something is wrong. */
    static final int ERRORS = 20;

    static final String[] FOOTER = {
        "",
        "Exit codes: 0 done, 1 failed, 2 bad input or configuration, 3 no such thing, 4 busy, try again,",
        "5 database or namespace cannot be reached, 6 not confirmed, 10 look at what was said, 20 look at once."
    };

    private ExitCode() {}
}
