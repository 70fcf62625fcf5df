package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A JVM whose language writes numbers in digits of its own: Arabic, Persian, Nepali, Burmese. */
@ExtendWith(PostgresExtension.class)
class LocaleTest {
    private final Locale before = Locale.getDefault();

    @BeforeEach
    void write_numbers_in_other_digits() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        assertThat("%d".formatted(1)).isNotEqualTo("1");
    }

    @AfterEach
    void write_numbers_as_before() {
        Locale.setDefault(before);
    }

    @Test
    void messages_are_appended_and_sent_where_numbers_have_other_digits(TestDatabase database) {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        var relay = outbox.relay(broker).started();
        outbox.append("s", "m1", "m2");
        relay.run();
        outbox.append("s", "m3");

        relay.run();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3");
    }
}
