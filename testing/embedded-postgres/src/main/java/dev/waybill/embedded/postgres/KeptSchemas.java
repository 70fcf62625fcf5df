package dev.waybill.embedded.postgres;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Schemas whose tests are over, for tests that want the same tables: it costs a tenth to empty them of what it costs to
 * make them. A test gets one only if its structure is as it was made and nobody is at work in it. Thread-safe.
 */
final class KeptSchemas {
    /** So many others are used before a schema is used again: what a test left running finds no later test there. */
    static final int REST = 4;

    private final DataSource dataSource;
    private final Map<String, Deque<MadeSchema>> byStatements = new HashMap<>();

    KeptSchemas(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void keep(String statements, MadeSchema schema) {
        synchronized (byStatements) {
            byStatements
                    .computeIfAbsent(statements, unused -> new ArrayDeque<>())
                    .add(schema);
        }
    }

    /** A schema with the tables of these statements, emptied, if one is kept. */
    Optional<MadeSchema> take(String statements) throws SQLException {
        for (MadeSchema kept = next(statements); kept != null; kept = next(statements)) {
            Optional<MadeSchema> emptied = kept.emptied(dataSource);
            if (emptied.isPresent()) {
                return emptied;
            }
            kept.drop(dataSource);
        }
        return Optional.empty();
    }

    private @Nullable MadeSchema next(String statements) {
        synchronized (byStatements) {
            Deque<MadeSchema> kept = byStatements.get(statements);
            return kept == null || kept.size() <= REST ? null : kept.poll();
        }
    }

    /** The server may go on without these tests. */
    void dropAll() throws SQLException {
        synchronized (byStatements) {
            for (Deque<MadeSchema> kept : byStatements.values()) {
                for (MadeSchema schema : kept) {
                    schema.drop(dataSource);
                }
            }
            byStatements.clear();
        }
    }
}
