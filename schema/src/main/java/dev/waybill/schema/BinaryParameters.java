package dev.waybill.schema;

import java.sql.Connection;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Detects connections that corrupt binary parameters. With {@code preferQueryMode=simple} the driver sends bytes as
 * {@code '\x…'}; with {@code standard_conforming_strings = off} the server reads the backslash as an escape and stores
 * different bytes.
 */
public final class BinaryParameters {
    private BinaryParameters() {}

    /** Throws an {@link IllegalStateException} if the driver knows that the connection corrupts bytes. Takes no round trip. */
    public static void require(Connection connection) {
        if (areMisread(connection)) {
            throw new IllegalStateException("This connection would corrupt binary parameters: its driver has"
                    + " preferQueryMode=simple and its server standard_conforming_strings = off. Change one of them");
        }
    }

    private static boolean areMisread(Connection connection) {
        return DriverConnection.behind(connection) instanceof BaseConnection driver
                && driver.getPreferQueryMode() == PreferQueryMode.SIMPLE
                && !driver.getStandardConformingStrings();
    }
}
