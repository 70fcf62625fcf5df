package dev.waybill.standalone;

import dev.waybill.standalone.cli.Commands;

/** The program: the standalone relay with its command line. */
public final class WaybillRelay {
    private WaybillRelay() {}

    /** Runs a command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        System.exit(Commands.execute(arguments));
    }
}
