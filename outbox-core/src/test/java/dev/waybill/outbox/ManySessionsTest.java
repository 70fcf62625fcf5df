package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lists to so many sessions that a lock for each would use up the lock table, which the whole cluster shares. */
@ExtendWith(PostgresExtension.class)
class ManySessionsTest {
    private static final int MANY = SessionLocks.MOST_KEYS + 1;

    private TestDatabase database;
    private SchemaName schema;
    private Outbox outbox;
    private DSLContext dsl;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        outbox = Outbox.builder().schema(schema).build();
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @Test
    void a_list_to_a_hundred_thousand_sessions_leaves_the_cluster_its_lock_table() {
        Map<String, String> postgresDefaults = Map.of("max_connections", "100", "max_prepared_transactions", "0");
        try (var server = PostgresServer.embedded(postgresDefaults);
                var pool = server.newPool(2)) {
            Migrations.of(pool, schema).apply(Feature.all());
            DSLContext ofDefaults = DSL.using(pool, SQLDialect.POSTGRES);

            ofDefaults.transaction(tx -> {
                outbox.append(tx.dsl(), toSessions(100_000));
                assertThatCode(() -> locksOfItsOwn(ofDefaults)).doesNotThrowAnyException();
            });

            assertThat(schema.in(ofDefaults).fetchCount(OUTBOX_MESSAGE)).isEqualTo(100_000);
        }
    }

    // Half of what the settings allow for.
    private static void locksOfItsOwn(DSLContext other) {
        other.transaction(tx ->
                tx.dsl().execute("select count(pg_advisory_xact_lock(1, n)::text) from generate_series(1, 3200) n"));
    }

    @Test
    void a_list_to_many_sessions_waits_for_whoever_has_appended_to_one_of_them() throws Exception {
        assertSecondWaits(tx -> outbox.append(tx, message("first", "s7")), tx -> outbox.append(tx, toSessions(MANY)));
    }

    @Test
    void one_message_waits_for_a_list_to_many_sessions() throws Exception {
        assertSecondWaits(tx -> outbox.append(tx, toSessions(MANY)), tx -> outbox.append(tx, message("second", "s7")));
    }

    @Test
    void a_short_list_waits_for_a_list_to_many_sessions() throws Exception {
        assertSecondWaits(
                tx -> outbox.append(tx, toSessions(MANY)),
                tx -> outbox.append(tx, List.of(message("second", "s7"), message("third", "s8"))));
    }

    @Test
    void two_lists_to_many_sessions_wait_for_each_other() throws Exception {
        assertSecondWaits(tx -> outbox.append(tx, toSessions(MANY)), tx -> outbox.append(tx, toSessions(MANY + 1)));
    }

    @Test
    void an_append_by_plain_sql_waits_for_a_list_to_many_sessions() throws Exception {
        assertSecondWaits(
                tx -> outbox.append(tx, toSessions(MANY)),
                tx -> tx.execute("select " + schema.table("outbox_append") + "('orders', 's7', 'second', '')"));
    }

    @Test
    void a_writer_by_plain_sql_and_a_list_to_many_sessions_wait_for_each_other() throws Exception {
        Consumer<DSLContext> before = tx -> tx.execute("insert into " + schema.table("outbox_message")
                + " (destination, session_id, message_id, payload) select 'orders', 's7', 'before', ''"
                + " from pg_advisory_xact_lock(1463900482, hashtext('orders' || chr(31) || 's7'))");

        assertSecondWaits(tx -> outbox.append(tx, toSessions(MANY)), before);
        assertSecondWaits(before, tx -> outbox.append(tx, toSessions(MANY)));
        assertSecondWaits(before, tx -> outbox.append(tx, message("one", "s7")));
    }

    @Test
    void what_is_read_does_not_wait_for_a_list_to_many_sessions() {

        dsl.transaction(tx -> {
            outbox.append(tx.dsl(), toSessions(MANY));
            assertThat(CompletableFuture.supplyAsync(() -> schema.in(dsl).fetchCount(OUTBOX_MESSAGE))
                            .get(10, TimeUnit.SECONDS))
                    .isZero();
        });
    }

    @Test
    void the_applications_role_may_append_to_many_sessions_and_who_only_reads_may_not_keep_writers_out()
            throws Exception {
        database.execute("revoke execute on all functions in schema " + schema + " from public");
        String app = schema + "_writer";
        String reader = schema + "_reader";
        database.execute("create role " + app);
        database.execute("create role " + reader);
        try {
            database.execute(Role.APP.grants(schema, app, Feature.all()));
            database.execute(Role.READONLY.grants(schema, reader, Feature.all()));
            dsl.transaction(tx -> {
                tx.dsl().execute("set local role " + app);
                outbox.append(tx.dsl(), toSessions(MANY));
                tx.dsl().execute("select " + schema.table("outbox_append") + "('orders', 's', 'by-sql', 'x')");
            });
            assertThat(schema.in(dsl).fetchCount(OUTBOX_MESSAGE)).isEqualTo(MANY + 1);
            assertThatThrownBy(() -> dsl.transaction(tx -> {
                        tx.dsl().execute("set local role " + reader);
                        tx.dsl().execute("select " + schema.table("outbox_exclude_writers") + "()");
                    }))
                    .hasMessageContaining("permission denied");
        } finally {
            database.execute("drop owned by " + app);
            database.execute("drop role " + app);
            database.execute("drop owned by " + reader);
            database.execute("drop role " + reader);
        }
    }

    /** The order inside each session is the order of commits: what was drawn first has committed first. */
    private void assertSecondWaits(Consumer<DSLContext> first, Consumer<DSLContext> second) throws Exception {
        var firstAppended = new CountDownLatch(1);
        var firstMayCommit = new CountDownLatch(1);
        long before = lastSeq();
        var earlier = CompletableFuture.runAsync(() -> dsl.transaction(tx -> {
            first.accept(tx.dsl());
            firstAppended.countDown();
            assertThat(firstMayCommit.await(10, TimeUnit.SECONDS)).isTrue();
        }));
        assertThat(firstAppended.await(10, TimeUnit.SECONDS)).isTrue();
        long drawnByTheFirst = lastSeq();
        assertThat(drawnByTheFirst).isGreaterThan(before);
        var later = CompletableFuture.runAsync(() -> dsl.transaction(tx -> second.accept(tx.dsl())));

        Awaitility.await().until(this::someoneWaits);
        assertThat(later).isNotDone();
        assertThat(lastSeq()).as("nothing is drawn while it waits").isEqualTo(drawnByTheFirst);
        firstMayCommit.countDown();
        CompletableFuture.allOf(earlier, later).get(30, TimeUnit.SECONDS);
    }

    private long lastSeq() {
        return dsl.fetchSingle(
                        "select case when is_called then last_value else 0 end from " + schema.table("outbox_seq"))
                .get(0, Long.class);
    }

    private boolean someoneWaits() {
        return dsl.fetchExists(
                DSL.table("pg_locks"),
                DSL.condition(
                        "not granted and (relation = {0}::regclass or classid = 1463900482)",
                        DSL.inline(schema.table("outbox_message"))));
    }

    private static List<OutboxMessage> toSessions(int sessions) {
        return IntStream.range(0, sessions)
                .mapToObj(i -> message("m" + i, "s" + i))
                .toList();
    }

    private static OutboxMessage message(String id, String session) {
        return OutboxMessage.to("orders").id(id).session(session).text(id).build();
    }
}
