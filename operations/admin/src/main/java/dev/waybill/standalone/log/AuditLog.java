package dev.waybill.standalone.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells who has changed what outside the database, where no audit row is written. A command prints it to standard error. */
public final class AuditLog {
    static final String NAME = "dev.waybill.audit";
    private static final Logger LOG = LoggerFactory.getLogger(NAME);

    private AuditLog() {}

    /** One line for one deed. */
    public static void tell(String deed, String operator, String reason) {
        LOG.info("{}, by {}: {}", line(deed), line(operator), line(reason));
    }

    // A reason with a line break must not look like a line of its own.
    private static String line(String text) {
        return text.codePoints()
                .map(character -> Character.isISOControl(character) ? ' ' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
