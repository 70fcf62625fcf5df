package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lane whose sends do not come back keeps no other lane from its backlog. */
@ExtendWith(PostgresExtension.class)
class StuckLaneTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private final ConcurrentLinkedQueue<Runnable> stuck = new ConcurrentLinkedQueue<>();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void other_lanes_send_all_they_have_while_one_is_stuck_with_all_its_pages() {
        String stands = outbox.sessionsOfOneBucket(1).get(0);
        for (int i = 0; i < 200; i++) {
            outbox.append(stands, "x" + i);
            outbox.append("a", "a" + i);
            outbox.append("b", "b" + i);
            outbox.append("cc", "c" + i);
        }
        var relay = outbox.relay(slow(stands), 5).started();
        var loop = outbox.loop(relay);

        await().untilAsserted(() -> {
            loop.step();
            assertThat(broker.arrived()).hasSize(600);
        });
        assertThat(stuck).hasSize(1);

        await().untilAsserted(() -> {
            Runnable answer = stuck.poll();
            if (answer != null) {
                answer.run();
            }
            loop.step();
            assertThat(broker.arrived()).hasSize(800);
        });
    }

    private Publisher slow(String stands) {
        return new Publisher() {
            @Override
            public CompletionStage<PublishResult> publish(Shipment shipment) {
                var answer = new CompletableFuture<PublishResult>();
                Runnable come = () -> broker.publish(shipment).thenAccept(answer::complete);
                if (stands.equals(shipment.rows().get(0).sessionId())) {
                    stuck.add(come);
                } else {
                    CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS).execute(come);
                }
                return answer;
            }

            @Override
            public void close() {}
        };
    }
}
