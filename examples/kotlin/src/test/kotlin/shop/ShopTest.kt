package shop

import dev.waybill.inbox.Handler
import dev.waybill.inbox.InboundMessage
import dev.waybill.inbox.Verdict
import dev.waybill.outbox.OutboxMessage
import dev.waybill.test.TestMessage
import dev.waybill.test.TestWaybill
import dev.waybill.test.WaybillExtension
import dev.waybill.test.proof.FaultKind
import dev.waybill.test.proof.HandlerProof
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension
import java.sql.SQLException
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

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

    @Test
    fun `a handler that fails twice after its work has its effects once`(waybill: TestWaybill) {
        Shop(waybill.dataSource(), waybill.outbox()).place("o-1", "lamp", note = null)
        waybill.publish()

        waybill.consumer("stock", "orders", failingTwice { tx, message -> stock.handle(tx, message) })
            .handleAll().hasIds("o-1")

        assertEquals(9, waybill.pieces("lamp"))
    }

    /** The loss that the handler's transaction prevents: each try books by a connection of its own. */
    @Test
    fun `by a connection of its own the same handler repeats its effects`(waybill: TestWaybill) {
        Shop(waybill.dataSource(), waybill.outbox()).place("o-1", "lamp", note = null)
        waybill.publish()

        waybill.consumer("naive", "orders", failingTwice { _, message -> waybill.dataSource().takeApart(message) })
            .handleAll().hasIds("o-1")

        assertEquals(7, waybill.pieces("lamp"))
    }

    /** The loss: no exception tells that the message is gone. */
    @Test
    fun `an append that nobody commits is found`(waybill: TestWaybill) {
        val watched = waybill.watch(waybill.dataSource())
        Shop(watched, waybill.outbox()).place("o-1", "lamp", note = null)
        waybill.requireAppendsCommitted()

        watched.connection.use { forgotten ->
            forgotten.autoCommit = false
            val message = OutboxMessage.to("orders").id("o-2").session("lamp").text("lamp").build()
            waybill.outbox().append(forgotten, message)
        }

        waybill.appended().hasIds("o-1")
        assertThrows(AssertionError::class.java) { waybill.requireAppendsCommitted() }
    }

    @Test
    fun `effects outside the handler's transaction are found by the proof`(waybill: TestWaybill) {
        val orders = arrayOf("o-1", "o-2")
            .map { TestMessage.of(it).entity("orders").session("lamp").text("lamp").build() }.toTypedArray()
        val apart = HandlerProof.restarting(waybill.dataSource()) { own -> Handler { _, message -> own.takeApart(message) } }

        HandlerProof.of(waybill.dataSource(), stock).messages(*orders).requireNoFault()
        assertTrue(apart.messages(*orders).run().has(FaultKind.AUTO_COMMIT))
    }

    private fun failingTwice(work: Handler): Handler {
        val tries = AtomicInteger()
        return Handler { tx, message ->
            work.handle(tx, message).also { check(tries.incrementAndGet() >= 3) { "after the work" } }
        }
    }

    private fun DataSource.takeApart(message: InboundMessage): Verdict = connection.use { apart ->
        apart.update("update stock set pieces = pieces - 1 where item = ?", message.text())
        Verdict.done()
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
