package dev.waybill.standalone.log;

import ch.qos.logback.classic.Level;
import java.util.List;

/** Libraries that log a stack trace for what Waybill logs in one line. */
record QuietLoggers(String logger, Level level, String why) {
    /** Each logger with its level and the reason. docs/operations/log.md has the same table. */
    static final List<QuietLoggers> ALL = List.of(
            new QuietLoggers(
                    "com.azure",
                    Level.OFF,
                    "logs at ERROR each send that was throttled, refused or repeated; the same exception reaches Waybill"),
            new QuietLoggers(
                    "com.microsoft",
                    Level.OFF,
                    "logs each failed sign-in at ERROR; the same exception reaches Waybill"),
            new QuietLoggers(
                    "reactor",
                    Level.OFF,
                    "logs connections that have failed, and errors of sends that had ended by their deadline"),
            new QuietLoggers(
                    "io.netty", Level.ERROR, "warns of connections that were cut; its errors are leaks of memory"),
            new QuietLoggers(
                    "com.zaxxer.hikari",
                    Level.ERROR,
                    "warns of each connection that a restart of the database has cut, and of each pause of the process"),
            new QuietLoggers("org.flywaydb", Level.ERROR, "warns of what migrate says itself"));
}
