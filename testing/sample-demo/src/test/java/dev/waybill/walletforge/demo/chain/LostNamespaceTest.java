package dev.waybill.walletforge.demo.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplaySelection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A namespace is lost with what was in it, and another takes its place. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LostNamespaceTest {
    private Chain chain;
    private final Handler effect = (tx, message) -> {
        chain.effect(tx, message.session().orElseThrow(), message.id());
        return Verdict.done();
    };

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        chain = new Chain(database);
    }

    @AfterEach
    void stop() throws Exception {
        chain.close();
    }

    @Test
    void a_replay_brings_back_what_was_lost_and_has_no_second_effect_of_what_was_handled() {
        var outbox = Outbox.builder().schema(chain.schema).build();
        var lost = chain.bus();
        var relay = chain.relay(lost, settings -> settings.retain(Chain.QUEUE, Duration.ofHours(1)));
        chain.append(outbox, messages(0, 40));
        var consumer = chain.consumer(lost, effect, settings -> settings);
        await().atMost(30, TimeUnit.SECONDS).until(() -> handled() == 40);
        consumer.close();
        chain.append(outbox, messages(40, 80));
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> lost.journal(Chain.QUEUE).storedCount() == 80);
        relay.close();
        lost.close();

        var replay = OutboxReplay.of(chain.dataSource, chain.schema);
        var all = ReplaySelection.of(Chain.QUEUE);
        assertThat(replay.count(all).published()).isEqualTo(80);
        assertThat(replay.finish(replay.begin(all, "namespace lost"))).isEqualTo(80);
        var other = chain.bus();
        chain.relay(other, settings -> settings);
        chain.consumer(other, effect, settings -> settings);

        await().atMost(30, TimeUnit.SECONDS).untilAsserted(() -> {
            assertThat(other.journal(Chain.QUEUE).storedCount()).isEqualTo(80);
            assertThat(other.inspect(Chain.QUEUE).active()).isZero();
        });
        for (int s = 0; s < 4; s++) {
            int session = s;
            assertThat(chain.effects("s" + s))
                    .containsExactlyElementsOf(IntStream.range(0, 80)
                            .filter(i -> i % 4 == session)
                            .mapToObj(i -> "m" + i)
                            .toList());
        }
    }

    private int handled() {
        return IntStream.range(0, 4).map(s -> chain.effects("s" + s).size()).sum();
    }

    private static List<OutboxMessage> messages(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> OutboxMessage.to(Chain.QUEUE)
                        .session("s" + i % 4)
                        .id("m" + i)
                        .text("m" + i)
                        .build())
                .toList();
    }
}
