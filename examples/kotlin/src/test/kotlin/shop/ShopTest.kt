package shop

import dev.waybill.test.TestWaybill
import dev.waybill.test.WaybillExtension
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension
import java.sql.SQLException

class ShopTest {
    @Test
    fun `an order takes its item from the stock once`(waybill: TestWaybill) {
        Shop(waybill.dataSource(), waybill.outbox()).place("o-1", "lamp", note = null)
        waybill.appended().hasIds("o-1")

        waybill.publish()
        waybill.consumer("stock", "orders", stock).handleAll().hasIds("o-1")

        assertEquals(9, waybill.pieces("lamp"))
    }

    @Test
    fun `an order that fails sends nothing`(waybill: TestWaybill) {
        val shop = Shop(waybill.dataSource(), waybill.outbox())
        shop.place("o-1", "lamp", note = "a gift")

        assertThrows(SQLException::class.java) { shop.place("o-1", "lamp", note = null) }

        waybill.appended().hasIds("o-1")
    }

    @Test
    fun `an item that nobody knows is a dead letter`(waybill: TestWaybill) {
        Shop(waybill.dataSource(), waybill.outbox()).place("o-1", "piano", note = null)

        waybill.publish()
        waybill.consumer("stock", "orders", stock).handleAll()

        waybill.deadLettered("orders").hasIds("o-1")
    }

    private fun TestWaybill.pieces(item: String): Int = dataSource().connection.use { connection ->
        connection.prepareStatement("select pieces from stock where item = ?").use { statement ->
            statement.setString(1, item)
            statement.executeQuery().use { rows ->
                rows.next()
                rows.getInt(1)
            }
        }
    }

    companion object {
        @JvmField
        @RegisterExtension
        val waybill: WaybillExtension = WaybillExtension.with { bus -> bus.queue("orders") { it.requiresSession() } }
            .tables(
                "create table orders (id text primary key, item text not null)",
                "create table stock (item text primary key, pieces int not null)",
                "insert into stock values ('lamp', 10)",
            )
    }
}
