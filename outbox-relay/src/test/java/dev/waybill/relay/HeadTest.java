package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cheap read of lanes that had nothing left finds what the full one finds, in the same order. */
@ExtendWith(PostgresExtension.class)
class HeadTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private final AtomicInteger cheapReads = new AtomicInteger();
    private TestDatabase database;
    private OutboxFixture outbox;
    private String one;
    private String other;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        List<String> sessions = outbox.sessionsOfOneBucket(2);
        one = sessions.get(0);
        other = sessions.get(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void late_commits_are_found_before_what_is_new(boolean cheap) throws Exception {
        var relay = atTheHead(cheap, broker);
        var slow = outbox.open();
        outbox.append(slow, one, "slow1", "slow2");
        outbox.append(other, "fast");
        relay.run();
        outbox.commit(slow);
        outbox.append(one, "new");
        relay.run();

        assertThat(broker.arrived()).containsExactly("first", "fast", "slow1", "slow2", "new");
        assertReads(cheap);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_is_rolled_back_is_not_sent(boolean cheap) throws Exception {
        var relay = atTheHead(cheap, broker);
        try (var undone = outbox.open()) {
            outbox.append(undone, one, "undone");
            relay.run();
            undone.rollback();
        }
        outbox.append(one, "new");
        relay.run();

        assertThat(broker.arrived()).containsExactly("first", "new");
        assertReads(cheap);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void of_a_transaction_with_savepoints_what_was_kept_is_sent(boolean cheap) throws Exception {
        var relay = atTheHead(cheap, broker);
        var tx = outbox.open();
        outbox.append(tx, one, "kept");
        var undone = tx.setSavepoint();
        outbox.append(tx, one, "undone");
        tx.rollback(undone);
        tx.setSavepoint();
        outbox.append(tx, one, "kept too");
        relay.run();
        outbox.commit(tx);
        relay.run();

        assertThat(broker.arrived()).containsExactly("first", "kept", "kept too");
        assertReads(cheap);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lanes_with_different_snapshots_are_each_judged_by_their_own(boolean cheap) throws Exception {
        var slowBroker = new HeldBackPublisher(
                broker, shipment -> shipment.rows().get(0).messageId().equals("busy"));
        var relay = atTheHead(cheap, slowBroker);
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.append(other, "busy");
        relay.turn().step(true);
        outbox.commit(slow);
        outbox.append("s of another lane", "elsewhere");
        relay.turn().step(true);
        slowBroker.answer();
        relay.run();
        relay.run();

        assertThat(broker.arrived()).containsExactly("first", "elsewhere", "busy", "slow");
        assertReads(cheap);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_commits_late_in_the_partition_before_is_found(boolean cheap) throws Exception {
        var relay = atTheHead(cheap, broker);
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.enterNextPartition();
        outbox.append(other, "m1");
        relay.run();
        outbox.append(other, "m2");
        relay.run();
        outbox.commit(slow);
        outbox.append(one, "m3");
        relay.run();

        assertThat(broker.arrived()).containsExactly("first", "m1", "m2", "slow", "m3");
        assertReads(cheap);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_follows_a_held_message_joins_its_hold(boolean cheap) {
        broker.refuse("refused");
        var relay = atTheHead(cheap, broker);
        outbox.append(one, "refused");
        relay.run();
        outbox.append(one, "follows");
        outbox.append(other, "passes");
        relay.run();

        assertThat(broker.arrived()).containsExactly("first", "passes");
        assertThat(outbox.rowsIn("outbox_held_message")).isEqualTo(2);
        assertReads(cheap);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_commits_during_a_pause_is_sent_after_it(boolean cheap) throws Exception {
        var destinations = Destinations.of(database.dataSource(), outbox.schema);
        var relay = atTheHead(cheap, broker);
        var slow = outbox.open();
        outbox.append(slow, one, "slow");
        outbox.append(other, "fast");
        relay.run();
        destinations.pause(OutboxFixture.DESTINATION, "the partner is migrating");
        outbox.commit(slow);
        outbox.append(one, "new");
        relay.run();
        assertThat(broker.arrived()).containsExactly("first", "fast");
        destinations.resume(OutboxFixture.DESTINATION);
        relay.run();

        assertThat(broker.arrived()).containsExactly("first", "fast", "slow", "new");
        assertReads(cheap);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_transaction_that_is_older_than_the_snapshot_and_draws_later_is_found(boolean cheap) throws Exception {
        var relay = atTheHead(cheap, broker);
        var old = outbox.open();
        DSL.using(old).execute("select pg_current_xact_id()");
        outbox.append(other, "m1");
        relay.run();
        outbox.append(old, one, "of the old one");
        outbox.append(other, "m2");
        relay.run();
        outbox.commit(old);
        relay.run();

        assertThat(broker.arrived()).containsExactly("first", "m1", "m2", "of the old one");
        assertReads(cheap);
    }

    /** A relay whose lanes have read everything. */
    private OutboxFixture.RelayUnderTest atTheHead(boolean cheap, Publisher publisher) {
        UnaryOperator<OutboxReader> reading = cheap ? CountingReader::new : PlantedReaders.inFull();
        var relay = outbox.relay(publisher, 100, reading).started();
        outbox.append(one, "first");
        relay.run();
        relay.run();
        return relay;
    }

    private void assertReads(boolean cheap) {
        assertThat(cheapReads.get() > 0).as("whether the cheap read was used").isEqualTo(cheap);
    }

    /** Counts the cheap reads that were enough. */
    private final class CountingReader extends PlantedReaders.Wrapped {
        private final OutboxReader right;

        CountingReader(OutboxReader right) {
            super(right);
            this.right = right;
        }

        @Override
        public @Nullable Page readHead(Map<Lane, Cursor> cursors, PageLimit limit) {
            @Nullable Page page = right.readHead(cursors, limit);
            if (page != null) {
                cheapReads.incrementAndGet();
            }
            return page;
        }
    }
}
