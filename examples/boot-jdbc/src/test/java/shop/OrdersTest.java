package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.test.WaybillTest;
import dev.waybill.test.TestWaybill;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The shop in single turns: nothing happens in the background, and nothing is waited for. */
@WaybillTest
class OrdersTest {
    @Autowired
    private Shop shop;

    @Autowired
    private Stock stock;

    @Autowired
    private TestWaybill waybill;

    @Test
    void an_order_takes_its_item_from_the_stock() throws Exception {
        int before = stock.pieces("lamp");

        shop.place("o-1", "lamp");
        waybill.runUntilQuiet().hasIds("o-1");

        waybill.published("orders").hasIds("o-1").inSession("lamp").hasSize(1);
        assertThat(stock.pieces("lamp")).isEqualTo(before - 1);
    }

    /** The loss beside Spring: the pool's auto-commit is off, and nobody commits a connection of one's own. */
    @Test
    void an_append_that_nobody_commits_is_found(@Autowired DataSource dataSource) throws Exception {
        shop.place("o-2", "lamp");
        waybill.requireAppendsCommitted();

        try (Connection forgotten = waybill.watch(dataSource).getConnection()) {
            Outbox.create()
                    .append(
                            forgotten,
                            OutboxMessage.to("orders")
                                    .id("o-3")
                                    .session("lamp")
                                    .text("lamp")
                                    .build());
        }

        waybill.appended().hasIds("o-2");
        assertThatThrownBy(waybill::requireAppendsCommitted).hasMessageContaining("nobody has committed");
    }
}
