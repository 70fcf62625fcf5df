package dev.waybill.embedded.postgres;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * A schema that was made by statements, as they left it.
 *
 * @param structure a digest of its definitions: any change of a table, a trigger or a right changes it
 * @param rows the rows that the statements wrote, by the table's qualified name, in the format of {@code copy}
 * @param restart a statement that sets its sequences to where they were
 */
record MadeSchema(String name, String structure, Map<String, String> rows, String restart) {
    /** Beyond this a table is truncated: rows that are deleted stay in its pages. */
    private static final long TRUNCATED_FROM_BYTES = 65_536;

    /** A statement that changes a definition writes a new version of its catalog row, with another {@code xmin}. */
    private static final String STRUCTURE = """
            with own as (select oid from pg_class where relnamespace = '%1$s'::regnamespace)
            select md5(string_agg(version, ',' order by version)) from (
              select 'n' || oid || ' ' || xmin as version from pg_namespace where oid = '%1$s'::regnamespace
              union all select 'c' || oid || ' ' || xmin from pg_class where oid in (table own)
              union all select 'a' || attrelid || ' ' || attnum || ' ' || xmin
                from pg_attribute where attrelid in (table own)
              union all select 'd' || oid || ' ' || xmin from pg_attrdef where adrelid in (table own)
              union all select 'i' || indexrelid || ' ' || xmin from pg_index where indrelid in (table own)
              union all select 't' || oid || ' ' || xmin from pg_trigger where tgrelid in (table own)
              union all select 'l' || oid || ' ' || xmin from pg_policy where polrelid in (table own)
              union all select 'r' || oid || ' ' || xmin from pg_rewrite where ev_class in (table own)
              union all select 'h' || inhrelid || ' ' || xmin from pg_inherits where inhrelid in (table own)
              union all select 'o' || oid || ' ' || xmin from pg_constraint where connamespace = '%1$s'::regnamespace
              union all select 'p' || oid || ' ' || xmin from pg_proc where pronamespace = '%1$s'::regnamespace
              union all select 'y' || oid || ' ' || xmin from pg_type where typnamespace = '%1$s'::regnamespace
            ) versions""";

    /** Tables that hold rows, or did, and how much they occupy. */
    private static final String USED = """
            select oid::regclass::text, pg_table_size(oid) from pg_class
            where relnamespace = '%1$s'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0""";

    private static final String RESTART = """
            select coalesce(string_agg(format('select setval(%%L::regclass, %%s, %%L)', seqrelid::regclass,
              coalesce(pg_sequence_last_value(seqrelid), seqstart), pg_sequence_last_value(seqrelid) is not null), ';'), '')
            from pg_sequence join pg_class on pg_class.oid = seqrelid
            where relnamespace = '%1$s'::regnamespace""";

    private static final String FORGET_STATISTICS = """
            delete from pg_statistic
            where starelid in (select oid from pg_class where relnamespace = '%1$s'::regnamespace)""";

    /** The schema as it is now. */
    static MadeSchema asItIs(Connection connection, String name) throws SQLException {
        CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
        var rows = new LinkedHashMap<String, String>();
        for (String table : used(connection, name).keySet()) {
            var text = new StringWriter();
            try {
                copies.copyOut("copy " + table + " to stdout", text);
            } catch (IOException e) {
                throw new SQLException(e);
            }
            rows.put(table, text.toString());
        }
        return new MadeSchema(name, text(connection, STRUCTURE, name), rows, text(connection, RESTART, name));
    }

    /**
     * Restores the rows that the statements wrote, and restarts the sequences.
     *
     * @return the restored schema; empty if its structure has changed, or if a transaction holds a lock on its tables
     */
    Optional<MadeSchema> emptied(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                return text(connection, STRUCTURE, name).equals(structure)
                        ? Optional.of(empty(connection))
                        : Optional.empty();
            } catch (SQLException inUseOrNotAllowed) {
                return Optional.empty();
            } finally {
                connection.rollback();
            }
        }
    }

    private MadeSchema empty(Connection connection) throws SQLException {
        // The tables' own triggers are left out, and nobody is waited for.
        execute(connection, "set local session_replication_role = replica");
        execute(connection, "set local lock_timeout = '100ms'");
        Map<String, Long> used = used(connection, name);
        if (!used.isEmpty()) {
            execute(connection, "lock table " + String.join(", ", used.keySet()) + " in access exclusive mode");
        }
        var large = new StringJoiner(", ", "truncate ", " cascade").setEmptyValue("");
        for (Map.Entry<String, Long> table : used.entrySet()) {
            if (table.getValue() > TRUNCATED_FROM_BYTES) {
                large.add(table.getKey());
            } else {
                execute(connection, "delete from " + table.getKey());
            }
        }
        execute(connection, large.toString());
        execute(connection, restart);
        execute(connection, FORGET_STATISTICS.formatted(name));
        restoreRows(connection);
        var emptied = new MadeSchema(name, text(connection, STRUCTURE, name), rows, restart);
        connection.commit();
        return emptied;
    }

    private void restoreRows(Connection connection) throws SQLException {
        CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
        for (Map.Entry<String, String> table : rows.entrySet()) {
            try {
                copies.copyIn("copy " + table.getKey() + " from stdin", new StringReader(table.getValue()));
            } catch (IOException e) {
                throw new SQLException(e);
            }
        }
    }

    void drop(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, "drop schema if exists " + name + " cascade");
        }
    }

    private static String text(Connection connection, String query, String schema) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(query.formatted(schema))) {
            row.next();
            return row.getString(1);
        }
    }

    private static Map<String, Long> used(Connection connection, String schema) throws SQLException {
        var used = new LinkedHashMap<String, Long>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(USED.formatted(schema))) {
            while (rows.next()) {
                used.put(rows.getString(1), rows.getLong(2));
            }
        }
        return used;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
