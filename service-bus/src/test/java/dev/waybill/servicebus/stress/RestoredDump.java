package dev.waybill.servicebus.stress;

import dev.waybill.embedded.postgres.PostgresNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Does the same as a dump and its restore: puts a schema's rows and sequences into another cluster that has the tables. */
final class RestoredDump {
    private static final String TABLES = """
            select format('%I.%I', n.nspname, c.relname) || ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum)
              || ')'
            from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
            join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
            where n.nspname = 'waybill' and c.relkind = 'r' and c.relname <> 'waybill_migration'
            group by n.nspname, c.relname
            """;

    private static final String SEQUENCES = """
            select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
              coalesce(last_value, start_value), last_value is not null)
            from pg_sequences where schemaname = 'waybill'
            """;

    private RestoredDump() {}

    /** Replaces what the target has. Nobody else writes to either meanwhile. */
    static void copy(PostgresNode from, PostgresNode to) throws SQLException, IOException {
        try (Connection source = from.connect();
                Connection target = to.connect()) {
            // As a restore does: the rows are consistent, whatever order they come in.
            execute(target, "set session_replication_role = replica");
            List<String> tables = values(source, TABLES);
            for (String table : tables) {
                execute(target, "delete from " + table.substring(0, table.indexOf(' ')));
            }
            for (String table : tables) {
                var rows = new ByteArrayOutputStream();
                copier(source).copyOut("copy " + table + " to stdout", rows);
                copier(target).copyIn("copy " + table + " from stdin", new ByteArrayInputStream(rows.toByteArray()));
            }
            for (String sequence : values(source, SEQUENCES)) {
                execute(target, sequence);
            }
        }
    }

    private static CopyManager copier(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getCopyAPI();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> values(Connection connection, String sql) throws SQLException {
        var values = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }
}
