package dev.waybill.standalone;

import dev.waybill.standalone.cli.Commands;

/** The standalone relay with its command line. */
public final class WaybillRelay {
    private WaybillRelay() {}

    public static void main(String[] arguments) {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        System.exit(Commands.execute(arguments));
    }
}
