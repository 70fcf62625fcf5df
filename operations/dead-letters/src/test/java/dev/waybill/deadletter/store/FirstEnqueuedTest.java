package dev.waybill.deadletter.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.StoredLetters;
import dev.waybill.deadletter.StoredLetters.Place;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.Headers;
import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A message keeps its place in its session, however often it has died. */
@ExtendWith(PostgresExtension.class)
class FirstEnqueuedTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final Instant AT = Instant.parse("2026-01-01T00:00:01Z");

    private StoredLetters stored;
    private Redrives redrives;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        stored.served("orders");
        redrives = Redrives.in(database.dataSource(), stored.schema);
    }

    @Test
    void a_message_that_died_twice_comes_back_before_one_that_came_behind_it() throws Exception {
        for (int deaths = 0; deaths < 6; deaths++) {
            stored.execute("truncate $schema.outbox_message");
            Map<String, Object> headers = deaths == 0 ? Map.of() : lastCopy;
            // In the same millisecond as m2, and with a higher number each time it comes again.
            stored.add("orders", "Bad", new Place(1 + 10L * deaths, AT.plusSeconds(600L * deaths)), in("m1", headers));
            stored.letters.release(DeadLetterFilter.everything(), WORD);
            if (deaths == 5) {
                stored.add("orders", "Bad", new Place(2, AT), in("m2", Map.of()));
            }
            redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
            lastCopy = Headers.read(
                    stored.texts("select headers::text from $schema.outbox_message where message_id = 'm1'")
                            .get(0));
        }

        assertThat(outbox()).containsExactly("m1", "m2");
        assertThat(lastCopy).containsEntry(WireContract.FIRST_ENQUEUED, "2026-01-01T00:00:01Z 1");
    }

    private Map<String, Object> lastCopy = Map.of();

    @Test
    void copies_of_older_versions_tell_it_by_their_history() throws Exception {
        stored.add("orders", "Bad", new Place(2, AT.plusSeconds(1)), in("m2", Map.of()));
        stored.add(
                "orders",
                "Bad",
                new Place(9, AT.plusSeconds(600)),
                in("m1", Map.of(WireContract.REDRIVE_COUNT, 1L, WireContract.REDRIVE_HISTORY, """
                        [{"entity":"orders","reason":"Bad","enqueued":"2026-01-01T00:00:01Z","deliveries":1}]""")));

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        assertThat(outbox()).containsExactly("m1", "m2");
    }

    @Test
    void what_a_stranger_writes_there_harms_nothing() {
        for (String text : List.of(
                "", "x", "2026-01-01T00:00:00Z", " ", "2026-01-01T00:00:00Z x", "+999999999-01-01T00:00:00Z 1")) {
            assertThat(FirstEnqueued.of(in("m", Map.of(WireContract.FIRST_ENQUEUED, text))))
                    .isNull();
        }
        for (String text :
                List.of("", "{}", "[]", "[1]", "[{}]", "[{\"enqueued\":1}]", "[{\"enqueued\":\"no\"}]", "[{\"a\":[")) {
            assertThat(FirstEnqueued.of(in("m", Map.of(WireContract.REDRIVE_HISTORY, text))))
                    .isNull();
        }
    }

    private List<String> outbox() {
        return stored.texts("select message_id from $schema.outbox_message order by seq");
    }

    private static MessageContent in(String id, Map<String, Object> headers) {
        return MessageContent.of(id, "s", new byte[1]).withProperties(headers);
    }
}
