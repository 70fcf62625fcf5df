package shop

import dev.waybill.outbox.NoTransactionException
import dev.waybill.outbox.Outbox
import dev.waybill.outbox.OutboxMessage
import dev.waybill.spring.test.WaybillTest
import dev.waybill.test.TestWaybill
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.context.ApplicationEventPublisher
import org.springframework.test.context.TestConstructor
import org.springframework.transaction.support.TransactionTemplate

@WaybillTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class ShopTest(
    private val shop: Shop,
    private val stock: Stock,
    private val waybill: TestWaybill,
    private val outbox: Outbox,
    private val transaction: TransactionTemplate,
    private val events: ApplicationEventPublisher,
) {
    @Test
    fun `a data class comes to its handler as it was appended`() {
        val before = stock.pieces("lamp")

        shop.place(OrderPlaced("o-1", "lamp", pieces = 2, note = "a gift"))
        assertThat(waybill.appended().single().body()).contains("\"note\":\"a gift\"")
        waybill.runUntilQuiet().hasIds("o-1")

        assertThat(stock.pieces("lamp")).isEqualTo(before - 2)
    }

    /** A sender that is older than the fields, and one that is newer than this handler. */
    @Test
    fun `a missing field has its default and an unknown one is no harm`() {
        val before = stock.pieces("lamp")

        json("old", """{"number": "old", "item": "lamp"}""")
        json("new", """{"number": "new", "item": "lamp", "pieces": 3, "colour": "red"}""")
        waybill.runUntilQuiet().hasIds("old", "new")

        waybill.deadLettered("orders").isEmpty()
        assertThat(stock.pieces("lamp")).isEqualTo(before - 4)
    }

    /** The loss: without Kotlin's module the null would come to the handler. */
    @Test
    fun `a null where the data class has none is a dead letter`() {
        json("broken", """{"number": "broken", "item": null}""")

        waybill.runUntilQuiet()

        waybill.deadLettered("orders").hasIds("broken")
    }

    @Test
    fun `an event is appended in the transaction of its publisher and refused outside one`() {
        val before = stock.pieces("lamp")

        shop.takeBack("r-1", "lamp")
        waybill.runUntilQuiet().hasIds("returned-r-1")

        assertThat(stock.pieces("lamp")).isEqualTo(before + 1)
        assertThatThrownBy { events.publishEvent(ItemReturned("r-2", "lamp")) }
            .isInstanceOf(NoTransactionException::class.java)
    }

    private fun json(id: String, body: String) = transaction.executeWithoutResult {
        outbox.append(
            OutboxMessage.to("orders").id(id).session("lamp").subject("OrderPlaced").json(body).build(),
        )
    }
}
