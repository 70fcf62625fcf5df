package dev.waybill.standalone.config;

/** Hints that end a message about missing configuration. */
public final class NextStep {
    private static final String FILE =
            "the configuration file, which --config FILE behind the command or " + Environment.CONFIG + " names";

    private NextStep() {}

    public static String database() {
        return "Give database.NAME.url in " + FILE
                + ", or the database alone by WAYBILL_DATABASE_MAIN_URL=jdbc:postgresql://HOST/NAME";
    }

    public static String declaration() {
        return "Declare namespace.NAME.host and destination.NAME in " + FILE;
    }

    public static String configuration() {
        return "Give them in " + FILE + "; 'waybill-relay config print' shows what counts";
    }
}
