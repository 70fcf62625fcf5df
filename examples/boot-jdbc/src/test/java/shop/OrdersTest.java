package shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.test.ServiceConsumers;
import dev.waybill.spring.test.WaybillTest;
import dev.waybill.test.TestWaybill;
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

    @Autowired
    private ServiceConsumers consumers;

    @Test
    void an_order_takes_its_item_from_the_stock() throws Exception {
        int before = stock.pieces("lamp");

        shop.place("o-1", "lamp");
        waybill.appended().hasIds("o-1");

        waybill.publish();
        waybill.published("orders").hasIds("o-1").inSession("lamp").hasSize(1);
        assertThat(stock.pieces("lamp")).isEqualTo(before);

        consumers.of("stock").handleAll().hasIds("o-1");
        assertThat(stock.pieces("lamp")).isEqualTo(before - 1);
    }
}
