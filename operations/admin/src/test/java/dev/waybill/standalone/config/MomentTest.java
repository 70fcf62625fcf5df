package dev.waybill.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MomentTest {
    @ParameterizedTest
    @CsvSource({
        "2026-11-28, 2026-11-28T00:00:00Z",
        "2024-02-29, 2024-02-29T00:00:00Z",
        "2026-11-28 07:15, 2026-11-28T07:15:00Z",
        "2026-11-28T07:15, 2026-11-28T07:15:00Z",
        "2026-11-28t07:15:09z, 2026-11-28T07:15:09Z",
        "2026-11-28 07:15:09.25, 2026-11-28T07:15:09.250Z",
        "2026-11-28 07:15 +01:00, 2026-11-28T06:15:00Z",
        "2026-11-28T07:15+0530, 2026-11-28T01:45:00Z",
        "2026-11-28T07:15:00-08, 2026-11-28T15:15:00Z",
        "2026-11-28T07:15:09.123456789Z, 2026-11-28T07:15:09.123456789Z"
    })
    void a_date_or_time_is_read_in_each_form_that_logs_and_people_use(String text, String moment) {
        assertThat(Times.moment(text)).contains(Instant.parse(moment));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-30",
                "2026-13-01",
                "2026-11-28 25:00",
                "2026-11-28T",
                "2026-11-28 7:15",
                "2026-11-28T07:15 CET",
                "2026-11-28T07:15+25:00",
                "2026-11-287"
            })
    void a_date_that_does_not_exist_is_refused_and_not_moved(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Times.moment(text))
                .withMessageContaining(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2h", "PT2H", "7d", "P7D", "", "yesterday", "28.11.2026"})
    void another_text_is_no_moment(String text) {
        assertThat(Times.moment(text)).isEmpty();
    }
}
