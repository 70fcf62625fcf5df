package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spring.test.WaybillTest;
import dev.waybill.test.TestWaybill;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.modulith.core.ApplicationModules;
import shop.order.Orders;
import shop.stock.Stock;

@WaybillTest
class ShopTest {
    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private TestWaybill waybill;

    @Test
    void an_externalized_event_takes_its_item_from_the_stock() throws Exception {
        int before = stock.pieces("lamp");

        orders.place("o-1", "lamp");
        waybill.runUntilQuiet().hasSize(1);

        waybill.published("orders").inSession("lamp").hasSize(1);
        assertThat(stock.pieces("lamp")).isEqualTo(before - 1);
    }

    @Test
    void an_order_that_rolls_back_sends_nothing() throws Exception {
        orders.place("o-2", "lamp");
        assertThatThrownBy(() -> orders.place("o-2", "lamp")).isInstanceOf(DuplicateKeyException.class);

        waybill.runUntilQuiet().hasSize(1);
    }

    @Test
    void the_modules_keep_to_their_walls() {
        ApplicationModules.of(ShopApplication.class).verify();
    }
}
