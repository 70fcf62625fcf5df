package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageSizeTest {
    private static final int LANES = 32;
    private static final long LARGEST_BODY = 256 * 1024;

    private final PageSize size = new PageSize(100);

    @Test
    void small_messages_soon_come_in_full_pages() {
        for (int i = 0; i < 4; i++) {
            size.weighed(1L * size.rows() * LANES * 1024L);
        }

        assertThat(size.rows()).isEqualTo(100);
    }

    @Test
    void a_first_page_of_the_largest_messages_does_not_fill_the_memory() {
        assertThat(1L * size.rows() * LANES * LARGEST_BODY).isLessThan(100L << 20);
    }

    @Test
    void pages_of_large_messages_shrink_to_what_fits_and_never_to_nothing() {
        size.weighed(1L * size.rows() * LANES * LARGEST_BODY);
        assertThat(1L * size.rows() * LANES * LARGEST_BODY).isLessThanOrEqualTo(PageSize.BUDGET);

        size.weighed(Long.MAX_VALUE / 1_000);
        assertThat(size.rows()).isOne();
    }

    @Test
    void fewer_rows_asked_for_are_never_exceeded() {
        var few = new PageSize(3);
        few.weighed(0);

        assertThat(few.rows()).isEqualTo(3);
    }
}
