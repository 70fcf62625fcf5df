package dev.waybill.standalone.config;

/** Ends of messages about something that is not configured: they say how to configure it. */
public final class NextStep {
    private static final String FILE =
            "the configuration file, which --config FILE behind the command or " + Environment.CONFIG + " names";

    private NextStep() {}

    /** How a database is given. */
    public static String database() {
        return "Give database.NAME.url in " + FILE
                + ", or the database alone by WAYBILL_DATABASE_MAIN_URL=jdbc:postgresql://HOST/NAME";
    }

    /** How namespaces and destinations are declared. */
    public static String declaration() {
        return "Declare namespace.NAME.host and destination.NAME in " + FILE;
    }

    /** How all of it is given. */
    public static String configuration() {
        return "Give them in " + FILE + "; 'waybill-relay config print' shows what counts";
    }
}
