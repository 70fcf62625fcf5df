package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class LargeRedriveTest {
    /** The profile {@code stress} takes 100,000. */
    private static final int MANY = Integer.getInteger("waybill.stress.redrive", 10_000);

    private static final int BODY_BYTES = 200_000_000 / MANY;

    /** Half of what the bodies take: a process that kept them would not live. */
    private static final int MEGABYTES = 96;

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    @Tag("long")
    void twice_the_heap_is_collected_grouped_filtered_and_redriven_in_bounded_memory(TestDatabase database)
            throws Exception {
        try (var fixture = new DeadLetterFixture(
                database,
                bus -> bus.journalLimit(1_000)
                        .queue(
                                "dead",
                                queue -> queue.timeToLive(Duration.ofMinutes(1)).deadLetterOnExpiration()))) {
            fixture.served("home");
            fixture.sendMany("dead", MANY, BODY_BYTES);
            fixture.bus.advance(Duration.ofMinutes(2));
            assertThat(fixture.deadLettersIn("dead")).isEqualTo(MANY);

            Process process = LargeRedriveProcess.start(
                    MEGABYTES,
                    database.server().jdbcUrl(),
                    fixture.schema.value(),
                    fixture.bus.connectionString(),
                    MANY);

            assertThat(process.waitFor()).isZero();
            assertThat(fixture.deadLettersIn("dead")).isZero();
            assertThat(fixture.dsl
                            .fetchSingle("select count(distinct message_id), count(*) from "
                                    + fixture.schema.table("outbox_message"))
                            .into(Integer[].class))
                    .containsExactly(MANY, MANY);
        }
    }
}
