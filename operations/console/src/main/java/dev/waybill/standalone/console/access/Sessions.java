package dev.waybill.standalone.console.access;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlError;
import dev.waybill.standalone.config.ConsoleSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * The sessions of people, shared by all replicas. The database stores a digest of each token and its own times. Needs the
 * grants of {@code Role.RELAY}. Thread-safe.
 */
final class Sessions {
    /** More sessions of a person end the oldest ones. */
    private static final int MOST_OF_A_PERSON = 20;

    private static final int MOST_LISTED = 200;
    /** Marks a row that only records a used value; no token has its digest. */
    private static final String USED = "used";

    private final DSLContext dsl;
    private final SchemaName schema;
    private final ConsoleSettings.Sessions settings;

    Sessions(DataSource pool, SchemaName schema, ConsoleSettings.Sessions settings) {
        this.dsl = DSL.using(pool, SQLDialect.POSTGRES);
        this.schema = schema;
        this.settings = settings;
    }

    record Session(UUID id, String person, SignInMethod way, String proof) {}

    record Listed(UUID id, String person, String way, Instant since, Instant seen) {}

    String open(String person, SignInMethod way, String proof) {
        String token = Secrets.random();
        // A transaction would try three times to connect while the database is down.
        dsl.execute("delete from %1$s.console_session where %2$s".formatted(schema, OVER), val(idle()));
        dsl.execute(
                OPEN.formatted(schema), val(hash(token)), val(person), val(way.word()), val(proof), val(lifetime()));
        dsl.execute(TRIM.formatted(schema), val(person), val(MOST_OF_A_PERSON));
        return token;
    }

    /** The session of a token, if it is valid; {@code counts} is whether the request extends it. */
    Optional<Session> find(String token, boolean counts) {
        if (!Secrets.isForm(token)) {
            return Optional.empty();
        }
        return dsl.fetchOptional(FIND.formatted(schema, OVER), val(idle()), val(hash(token)))
                .map(row -> {
                    if (counts && row.get("stale", Boolean.class)) {
                        seen(token);
                    }
                    return new Session(
                            row.get("id", UUID.class),
                            row.get("person", String.class),
                            SignInMethod.of(row.get("way", String.class)),
                            row.get("proof", String.class));
                });
    }

    // If the database is read-only, as a standby is, reading continues and the session expires.
    private void seen(String token) {
        try {
            dsl.execute(SEEN.formatted(schema), val(hash(token)));
        } catch (DataAccessException e) {
            if (!SqlError.READ_ONLY.is(e.sqlState())) {
                throw e;
            }
        }
    }

    /**
     * Records a one-time value at all replicas; false if it was used before. Failed sign-ins are not recorded, so that
     * strangers cannot fill the table.
     */
    boolean useOnce(String text, Duration memory) {
        return dsl.execute(USE.formatted(schema), val(Secrets.digest("used", text)), val(USED), val(memory.toMillis()))
                == 1;
    }

    void close(String token) {
        dsl.execute("delete from %s.console_session where token_hash = {0}".formatted(schema), val(hash(token)));
    }

    Optional<String> close(UUID id) {
        return dsl.fetchOptional(
                        "delete from %s.console_session where id = {0} returning person".formatted(schema), val(id))
                .map(row -> row.get("person", String.class));
    }

    /** The newest valid sessions. */
    List<Listed> list() {
        return dsl.fetch(LIST.formatted(schema, OVER), val(idle()), val(MOST_LISTED), val(USED))
                .map(row -> new Listed(
                        row.get("id", UUID.class),
                        row.get("person", String.class),
                        row.get("way", String.class),
                        row.get("created_at", OffsetDateTime.class).toInstant(),
                        row.get("seen_at", OffsetDateTime.class).toInstant()));
    }

    private static byte[] hash(String token) {
        return Secrets.digest("session", token);
    }

    private long idle() {
        return settings.idle().toMillis();
    }

    private long lifetime() {
        return settings.lifetime().toMillis();
    }

    private static final String OVER = """
            (ends_at <= clock_timestamp() or seen_at <= clock_timestamp() - {0} * interval '1 millisecond')
            """;

    private static final String OPEN = """
            insert into %s.console_session (token_hash, person, way, proof, ends_at)
            values ({0}, {1}, {2}, {3}, clock_timestamp() + {4} * interval '1 millisecond')
            """;

    // The row is marked as recently used, or the idle limit would remove it too early.
    private static final String USE = """
            insert into %1$s.console_session (token_hash, person, way, proof, seen_at, ends_at)
            select {0}, '', {1}, '', until, until from (select clock_timestamp() + {2} * interval '1 millisecond' as until) t
            on conflict (token_hash) do nothing
            """;

    private static final String TRIM = """
            delete from %1$s.console_session where token_hash in (
              select token_hash from %1$s.console_session where person = {0} order by created_at desc offset {1})
            """;

    private static final String FIND = """
            select id, person, way, proof, seen_at < clock_timestamp() - interval '20 seconds' as stale
            from %1$s.console_session where token_hash = {1} and not %2$s
            """;

    private static final String SEEN =
            "update %s.console_session set seen_at = clock_timestamp() where token_hash = {0}";

    private static final String LIST = """
            select id, person, way, created_at, seen_at
            from %1$s.console_session where not %2$s and way <> {2} order by seen_at desc limit {1}
            """;
}
