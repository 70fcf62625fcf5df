package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.MessageContent;
import dev.waybill.relay.Page.Sight;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentWeightsTest {
    private static final long SHARE = 100;
    private static final int SOON = 10;
    private static final int LATER = 40;

    private final RecentWeights weights = new RecentWeights();

    @Test
    void rows_are_taken_for_light_until_one_is_not() {
        assertThat(weights.areWithin(SHARE)).isTrue();

        weights.areBeyond(SHARE);

        assertThat(weights.areWithin(SHARE)).isFalse();
        assertThat(weights.areWithin(SHARE + 1)).isTrue();
    }

    @Test
    void one_heavy_row_among_light_ones_does_not_have_every_second_page_read_in_vain() {
        weights.areBeyond(SHARE);

        for (int page = 0; page < SOON; page++) {
            weights.saw(page(10));
            assertThat(weights.areWithin(SHARE)).isFalse();
        }
    }

    @Test
    void rows_that_have_been_light_for_long_are_taken_for_light_again() {
        weights.areBeyond(SHARE);

        for (int page = 0; page < LATER; page++) {
            weights.saw(page(10));
        }

        assertThat(weights.areWithin(SHARE)).isTrue();
    }

    @Test
    void rows_that_are_heavy_now_and_then_are_not_taken_for_light() {
        for (int page = 0; page < LATER; page++) {
            weights.saw(page(page % SOON == 0 ? 1_000 : 10));
        }

        assertThat(weights.areWithin(SHARE)).isFalse();
    }

    private static Page page(int bytes) {
        var lane = new Lane("orders", (short) 1);
        var page = new Page.Builder();
        MessageContent content =
                MessageContent.builder("id").body(new byte[bytes]).build();
        page.addFresh(lane, List.of(new OutboxRow(1, false, content)));
        return page.build(new Sight("1:1:", 1, false, 0));
    }
}
