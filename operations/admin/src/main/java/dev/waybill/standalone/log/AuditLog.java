package dev.waybill.standalone.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs changes outside the database, which have no audit row. A command prints them to standard error. */
public final class AuditLog {
    static final String NAME = "dev.waybill.audit";
    private static final Logger LOG = LoggerFactory.getLogger(NAME);

    private AuditLog() {}

    public static void tell(String deed, String operator, String reason) {
        LOG.info("{}, by {}: {}", line(deed), line(operator), line(reason));
    }

    // A line break in a reason must not start a forged log line.
    private static String line(String text) {
        return text.codePoints()
                .map(character -> Character.isISOControl(character) ? ' ' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
