package dev.waybill.inbox;

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
    void messages_are_handled_where_numbers_have_other_digits(TestDatabase database) throws Exception {
        var inbox = new InboxFixture(database);

        inbox.turn(ScriptedReceiver.ofQueue(FakeMessage.of("m1")), inbox::effect)
                .run();
        inbox.turn(ScriptedReceiver.ofSession(FakeMessage.of("m2")), inbox::effect)
                .run();

        assertThat(inbox.effects()).containsExactlyInAnyOrder("m1", "m2");
    }
}
