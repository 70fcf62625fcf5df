package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class LargeArchiveTest {
    private static final int MANY = Integer.getInteger("waybill.stress.archive", 5_000);
    private static final int MEGABYTES = 64;

    @Test
    @Timeout(value = 1_200, unit = TimeUnit.SECONDS)
    @Tag("long")
    void many_letters_are_closed_reopened_archived_redacted_restored_erased_and_expired_in_bounded_memory(
            TestDatabase database) throws Exception {
        var stored = new StoredLetters(database);
        stored.execute("""
                with m as (
                  insert into $schema.dead_letter_message
                    (key, entity, sequence_number, enqueued_at, message_id, session_id, subject, payload)
                  select gen_random_uuid(), 'orders', n, clock_timestamp(), 'm' || n, 's' || n %% 10, 'secret',
                    convert_to('{"n":' || n || ',"email":"' || repeat('secret ', 100) || '"}', 'UTF8')
                  from generate_series(1, %d) n
                  returning id)
                insert into $schema.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(MANY));

        Process process = Child.start(
                LargeArchiveProcess.class,
                MEGABYTES,
                database.server().jdbcUrl(),
                stored.schema.value(),
                Integer.toString(MANY));

        assertThat(process.waitFor()).isZero();
        assertThat(stored.all()).isEmpty();
        assertThat(stored.texts("select id::text from $schema.dead_letter_archive"))
                .isEmpty();
    }
}
