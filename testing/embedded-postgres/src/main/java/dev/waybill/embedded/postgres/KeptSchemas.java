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
 * Schemas of finished tests, for tests that need the same tables: emptying one costs a tenth of creating one. A test gets a
 * schema only if its structure is unchanged and no transaction is open in it. Thread-safe.
 */
final class KeptSchemas {
    /** The schemas that are used before one is used again, so that a test's stray threads do not meet a later test. */
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
