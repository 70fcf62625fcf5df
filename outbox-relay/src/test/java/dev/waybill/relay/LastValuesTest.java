package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequence values at the borders of blocks and at the end of what there is, as after a setval by hand. */
@ExtendWith(PostgresExtension.class)
class LastValuesTest {
    @ParameterizedTest
    @ValueSource(longs = {(1L << 20) - 2, Long.MAX_VALUE - (1L << 17) - 4, Long.MAX_VALUE - 10})
    void messages_with_values_up_to_the_last_are_sent_in_order(long value, TestDatabase database) {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        outbox.append("s", "m0");
        outbox.relay(broker, 3).started().run();
        outbox.execute("update $schema.outbox_progress set position = " + (value - 5));
        outbox.execute("select setval('$schema.outbox_message_seq', " + value + ")");
        outbox.closeRelays();
        outbox.expireLeases();
        var relay = outbox.relay(broker, 3).started();
        String[] ids = IntStream.range(1, 9).mapToObj(i -> "m" + i).toArray(String[]::new);
        outbox.append("s", ids);

        relay.run();

        assertThat(broker.arrived()).startsWith("m0").endsWith(ids).doesNotHaveDuplicates();
    }
}
