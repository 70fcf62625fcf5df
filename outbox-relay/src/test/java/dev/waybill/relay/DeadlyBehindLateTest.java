package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Hold;
import dev.waybill.hold.Holds;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A message that ends its process stands behind a page that brings nothing. */
@ExtendWith(PostgresExtension.class)
class DeadlyBehindLateTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private Holds holds;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
        broker.behave(shipment -> {
            if (shipment.rows().stream().anyMatch(row -> row.messageId().startsWith("deadly"))) {
                throw new Death();
            }
            return PublishResult.accepted(shipment.rows().size());
        });
    }

    /** Its lane has sent its late rows, and others had not when a relay died. */
    @Test
    void a_deadly_message_behind_late_rows_that_are_all_sent_is_found() throws Exception {
        var slow = outbox.open();
        outbox.append(slow, "a", "a1");
        outbox.append(
                slow, "b", IntStream.range(0, 1_000).mapToObj(i -> "b" + i).toArray(String[]::new));
        outbox.append("a0", "x");
        assertThat(bucket("a")).isNotEqualTo(bucket("b"));
        String a2 = sibling("a");
        String b2 = sibling("b");
        outbox.append(a2, "fast-a");
        outbox.append(b2, "fast-b");
        outbox.relay(broker, 2).started().run();
        outbox.closeRelays();
        outbox.expireLeases();
        outbox.commit(slow);
        var relay = outbox.relay(broker, 2).started();
        for (int step = 0; step < 2; step++) {
            relay.turn().step(true);
            outbox.clock.advanceMillis(300);
        }
        assertThat(broker.arrived()).contains("a1").doesNotContain("b999");
        outbox.closeRelays();
        outbox.append("a", "deadly", "a2");

        runRelaysUntilOneLives();

        assertThat(heldIds()).containsExactly("deadly", "a2");
    }

    /** No late rows: the lane had nothing in the rest of its block. */
    @Test
    void a_deadly_message_behind_a_block_that_is_empty_is_found() {
        outbox.append("a", "a1");
        outbox.relay(broker, 2).started().run();
        outbox.closeRelays();
        outbox.enterNextPartition();
        outbox.append("a", "deadly", "a2");

        runRelaysUntilOneLives();

        assertThat(heldIds()).containsExactly("deadly", "a2");
    }

    /** For comparison: nothing between. */
    @Test
    void a_deadly_message_in_the_same_block_is_found() {
        outbox.append("a", "a1");
        outbox.relay(broker, 2).started().run();
        outbox.closeRelays();
        outbox.append("a", "deadly", "a2");

        runRelaysUntilOneLives();

        assertThat(heldIds()).containsExactly("deadly", "a2");
    }

    private void runRelaysUntilOneLives() {
        for (int deaths = 0; deaths < 40; deaths++) {
            outbox.expireLeases();
            try {
                var relay = outbox.relay(broker, 2).started();
                for (int n = 0; n < 8; n++) {
                    relay.run();
                    relay.heartbeat().beat();
                    outbox.clock.advanceMillis(250);
                }
                return;
            } catch (Death | CompletionException death) {
                // As a process would.
            }
        }
        throw new AssertionError("Every relay died");
    }

    private List<String> heldIds() {
        return holds.list().stream()
                .map(Hold::key)
                .flatMap(key -> holds.messages(key, 100).stream())
                .map(message -> message.content().messageId())
                .toList();
    }

    private String sibling(String session) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "y" + i)
                .filter(other -> bucket(other) == bucket(session))
                .findFirst()
                .orElseThrow();
    }

    private int bucket(String session) {
        return outbox.dsl
                .fetchSingle("select " + outbox.schema.value() + ".outbox_bucket('" + session + "', 'm')")
                .get(0, Integer.class);
    }

    private static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
