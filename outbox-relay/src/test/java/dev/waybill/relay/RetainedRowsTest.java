package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is kept of published messages, and what a replay makes of it. */
@ExtendWith(PostgresExtension.class)
class RetainedRowsTest {
    private static final Duration WEEK = Duration.ofDays(7);

    private final List<OutboxRow> arrived = new ArrayList<>();
    private DataSource dataSource;
    private SchemaName schema;
    private DSLContext dsl;
    private OutboxReplay replays;

    @BeforeEach
    void start(TestDatabase given) {
        dataSource = given.dataSource();
        schema = new SchemaName(
                given.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.OUTBOX, Feature.RETENTION)));
        replays = OutboxReplay.of(dataSource, schema);
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    @Test
    void only_what_is_to_be_retained_is_kept_and_it_is_kept_whole() {
        append("orders", "s", "o1", "o2");
        append("bills", "s", "b1");
        String before = rows("outbox_message", "o1");

        publish();

        assertThat(names("select message_id from $.outbox_published order by seq"))
                .containsExactly("o1", "o2");
        assertThat(rows("outbox_published", "o1")).isEqualTo(before);
        assertThat(names("select message_id from $.outbox_message")).isEmpty();
    }

    @Test
    void a_message_that_is_sent_twice_is_kept_once() {
        append("orders", "s", "o1");
        execute("create table $.before as select * from $.outbox_message");
        publish();
        // As after a crash between the broker's answer and the settle.
        execute("insert into $.outbox_message select * from $.before");
        publish();

        assertThat(arrived).hasSize(2);
        assertThat(names("select message_id from $.outbox_published")).containsExactly("o1");
    }

    @Test
    void a_day_is_emptied_when_its_time_is_up_and_no_sooner() {
        for (int age = 0; age <= 9; age++) {
            execute(
                    "insert into $.outbox_published (slot, published_at, seq, destination, message_id, payload, created_at) "
                            + "select (extract(epoch from t)::bigint / 86400) % 16, t, 1, 'orders', 'age" + age
                            + "', '', t "
                            + "from (select clock_timestamp() - interval '" + age + " days') a(t)");
        }

        execute("select $.outbox_published_trim(interval '7 days')");

        assertThat(names("select message_id from $.outbox_published order by message_id"))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(0, 7).mapToObj(age -> "age" + age).toList());
    }

    @Test
    void a_replay_that_is_interrupted_at_any_step_appends_each_row_once_in_order() {
        String[] ids = IntStream.range(0, 700).mapToObj(i -> "m" + i).toArray(String[]::new);
        append("orders", "s", ids);
        publish();
        UUID run = replays.begin(ReplaySelection.of("orders"), "a lost namespace");
        replays.step(run);
        // It is another process that goes on.
        OutboxReplay other = OutboxReplay.of(dataSource, schema);
        assertThat(other.open()).containsExactly(run);
        other.finish(run);
        assertThat(other.step(run)).isZero();

        arrived.clear();
        publish();

        assertThat(arrived).extracting(row -> row.content().messageId()).containsExactly(ids);
        assertThat(arrived)
                .allSatisfy(row -> assertThat(row.content().messageIdOnBroker())
                        .isNotEqualTo(row.content().messageId()));
    }

    @Test
    void a_step_whose_transaction_fails_appends_nothing_and_is_taken_again() {
        append("orders", "s", "m1", "m2");
        publish();
        UUID run = replays.begin(ReplaySelection.of("orders"), "a test");
        execute("create function $.fail() returns trigger language plpgsql as "
                + "$x$ begin raise 'the position cannot be written'; end $x$");
        execute("create trigger fail before update on $.outbox_replay for each row execute function $.fail()");
        assertThatThrownBy(() -> replays.step(run)).hasMessageContaining("the position cannot be written");
        assertThat(names("select message_id from $.outbox_message")).isEmpty();

        execute("drop trigger fail on $.outbox_replay");
        replays.finish(run);

        assertThat(names("select message_id from $.outbox_message order by seq"))
                .containsExactly("m1", "m2");
    }

    @Test
    void what_is_published_after_a_replay_has_begun_is_not_in_it() {
        append("orders", "s", "m1");
        publish();
        UUID run = replays.begin(ReplaySelection.of("orders"), "a test");
        append("orders", "s", "m2");
        publish();

        assertThat(replays.finish(run)).isEqualTo(1);
    }

    @Test
    void a_replay_that_is_given_up_appends_nothing_more() {
        append("orders", "s", "m1");
        publish();
        UUID run = replays.begin(ReplaySelection.of("orders"), "a mistake");

        assertThat(replays.abandon(run, new AuditContext("ada", "a mistake"))).isTrue();
        assertThat(replays.abandon(run, new AuditContext("ada", "a mistake"))).isFalse();

        assertThat(replays.finish(run)).isZero();
        assertThat(replays.open()).isEmpty();
    }

    @Test
    void what_was_ordered_to_be_erased_is_not_replayed() {
        append("orders", "s", "m1");
        append("orders", "t", "m2");
        publish();
        execute("insert into $.erasure_order (digest, kind, applies_until, operator, reason) values "
                + "($.erasure_digest('session', 's'), 'session', clock_timestamp(), 'ada', 'a request')");
        UUID run = replays.begin(ReplaySelection.of("orders"), "a test");
        replays.finish(run);

        assertThat(names("select message_id from $.outbox_message")).containsExactly("m2");
    }

    @Test
    void without_the_feature_nothing_is_retained_and_a_replay_says_what_is_missing() {
        execute("drop table $.outbox_published, $.outbox_replay");

        assertThatThrownBy(() -> replays.begin(ReplaySelection.of("orders"), "a test"))
                .isInstanceOf(FeatureMissing.class)
                .hasMessageContaining("retention");
        assertThatThrownBy(this::publish).hasMessageContaining("retention");
    }

    private void publish() {
        try (Relay relay = Relay.builder(dataSource)
                .schema(schema)
                .destination("orders")
                .destination("bills")
                .retain("orders", WEEK)
                .publisher(new Accepting())
                .build()) {
            while (relay.publishCommitted() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    private final class Accepting implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            synchronized (arrived) {
                arrived.addAll(shipment.rows());
            }
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }

    private void append(String destination, String session, String... ids) {
        for (String id : ids) {
            dsl.fetch(
                    "select %s.outbox_append({0}, {1}, {2}, '\\x01')".formatted(schema),
                    DSL.val(destination),
                    DSL.val(session),
                    DSL.val(id));
        }
    }

    private void execute(String sql) {
        dsl.execute(sql.replace("$x$", "@x@").replace("$", schema.value()).replace("@x@", "$x$"));
    }

    private List<String> names(String sql) {
        return dsl.fetch(sql.replace("$", schema.value())).getValues(0, String.class);
    }

    private String rows(String table, String id) {
        return dsl.fetch(
                        "select (to_jsonb(m) - 'xid' - 'slot' - 'published_at')::text from %s.%s m where message_id = {0}"
                                .formatted(schema, table),
                        DSL.val(id))
                .get(0)
                .get(0, String.class);
    }
}
