package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AwaitedAnswerTest {
    /** It says so on a timer's thread, where nobody hears of what is thrown. */
    @Test
    @Timeout(30)
    void an_answer_that_does_not_come_is_given_up_though_there_is_no_memory_to_say_why() {
        var answer = new AwaitedAnswer(Duration.ofMillis(20), () -> {
            throw new OutOfMemoryError("planted");
        });

        assertThat(answer.within())
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withRootCauseInstanceOf(OutOfMemoryError.class);
        assertThat(answer.isAwaited()).isFalse();
    }
}
