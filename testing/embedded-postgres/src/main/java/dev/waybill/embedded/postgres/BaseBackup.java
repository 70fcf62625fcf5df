package dev.waybill.embedded.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A copy of a running server's files, made between the two calls that PostgreSQL has for it. */
final class BaseBackup {
    private static final String START = "select pg_backup_start('standby', true)";
    private static final String STOP = "select labelfile from pg_backup_stop(false)";

    // The calls have had these names since 15.
    private static final int RENAMED_IN = 15;
    private static final String OLD_START = "select pg_start_backup('standby', true, false)";
    private static final String OLD_STOP = "select labelfile from pg_stop_backup(false, false)";

    private BaseBackup() {}

    /**
     * The files of a server that has not started yet.
     *
     * @param connection to the running server; both calls belong to one session
     * @param files of the running server
     */
    static DataDirectory take(Connection connection, DataDirectory files) throws SQLException {
        boolean old = connection.getMetaData().getDatabaseMajorVersion() < RENAMED_IN;
        try (var statement = connection.createStatement()) {
            statement.execute(old ? OLD_START : START);
            DataDirectory copy = files.copyOfRunning();
            try (ResultSet stopped = statement.executeQuery(old ? OLD_STOP : STOP)) {
                stopped.next();
                Files.writeString(copy.data().resolve("backup_label"), stopped.getString(1));
            }
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException("The running PostgreSQL cannot be copied", e);
        }
    }
}
