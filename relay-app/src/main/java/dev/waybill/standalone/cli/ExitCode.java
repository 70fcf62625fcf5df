package dev.waybill.standalone.cli;

/** What the process says when it ends. Programs rely on these numbers: none is ever given another meaning. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int BAD_INPUT = 2;
    static final int NOT_FOUND = 3;
    static final int BUSY = 4;
    static final int UNREACHABLE = 5;
    static final int NOT_CONFIRMED = 6;

    /** Of doctor and topology: something should be looked at. */
    static final int WARNINGS = 10;

    /** Of doctor and topology: something is wrong. */
    static final int ERRORS = 20;

    static final String[] FOOTER = {
        "",
        "Exit codes: 0 done, 1 failed, 2 bad input or configuration, 3 no such thing, 4 busy, try again,",
        "5 database or namespace cannot be reached, 6 not confirmed; doctor and topology: 10 warnings, 20 errors."
    };

    private ExitCode() {}
}
