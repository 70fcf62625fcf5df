package dev.waybill.schema;

import java.sql.Connection;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Whether bytes reach the server as they are.
 *
 * <p>With {@code preferQueryMode=simple} the driver writes parameters into the statement's text, and bytes as {@code
 * '\x…'}. A server with {@code standard_conforming_strings = off} takes the backslash for an escape and stores other
 * bytes, without an error.
 */
public final class BinaryParameters {
    private BinaryParameters() {}

    /**
     * Refuses a connection on which other bytes would be stored than are given. It asks the driver and costs no round
     * trip. Passes where that is not known, as with another driver.
     *
     * @throws IllegalStateException saying which settings do not go together
     */
    public static void require(Connection connection) {
        if (areMisread(connection)) {
            throw new IllegalStateException("This connection would store other bytes than it is given: its driver has"
                    + " preferQueryMode=simple and its server standard_conforming_strings = off. Change one of them");
        }
    }

    private static boolean areMisread(Connection connection) {
        return DriverConnection.behind(connection) instanceof BaseConnection driver
                && driver.getPreferQueryMode() == PreferQueryMode.SIMPLE
                && !driver.getStandardConformingStrings();
    }
}
