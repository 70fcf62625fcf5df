package dev.waybill.standalone.cli.command;

/** The exit codes. Programs depend on them: a number never changes its meaning. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int BAD_INPUT = 2;
    public static final int NOT_FOUND = 3;
    public static final int BUSY = 4;
    public static final int UNREACHABLE = 5;
    public static final int NOT_CONFIRMED = 6;

    /** A warning, or a change that succeeded in part. */
    public static final int WARNINGS = 10;

    public static final int ERRORS = 20;

    private static final String[] FOOTER = {
        "",
        "Exit codes: 0 done, 1 failed, 2 bad input or configuration, 3 no such thing, 4 busy, try again,",
        "5 database or namespace cannot be reached, 6 not confirmed, 10 look at what was said, 20 look at once."
    };

    private ExitCode() {}

    public static String[] helpFooter() {
        return FOOTER.clone();
    }
}
