package shop

import dev.waybill.outbox.Outbox
import dev.waybill.spring.InboxHandler
import dev.waybill.spring.MessageType
import dev.waybill.spring.OutboxEvent
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.ApplicationEventPublisher
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.stereotype.Component
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

@SpringBootApplication
class ShopApplication

fun main(args: Array<String>) {
    runApplication<ShopApplication>(*args)
}

/** A message without `pieces` means one; one without `note` has none. */
@MessageType("OrderPlaced")
data class OrderPlaced(val number: String, val item: String, val pieces: Int = 1, val note: String? = null)

/** Appended when it is published as an event of Spring's. */
@MessageType("ItemReturned")
@OutboxEvent(destination = "returns", id = "'returned-' + number")
data class ItemReturned(val number: String, val item: String)

@Service
class Shop(private val outbox: Outbox, private val events: ApplicationEventPublisher) {
    @Transactional
    fun place(order: OrderPlaced) {
        outbox.append(outbox.message("orders").id(order.number).session(order.item).body(order).build())
    }

    @Transactional
    fun takeBack(number: String, item: String) = events.publishEvent(ItemReturned(number, item))
}

@Component
class Handlers(private val stock: Stock) {
    @InboxHandler(destination = "orders")
    fun placed(order: OrderPlaced) = stock.change(order.item, -order.pieces)

    @InboxHandler(destination = "returns")
    fun returned(event: ItemReturned) = stock.change(event.item, 1)
}

@Service
class Stock(private val jdbc: JdbcTemplate) {
    @Transactional
    fun change(item: String, pieces: Int) {
        check(jdbc.update("update stock set pieces = pieces + ? where item = ?", pieces, item) == 1) { "There is no $item" }
    }

    fun pieces(item: String): Int =
        jdbc.queryForObject("select pieces from stock where item = ?", Int::class.java, item) ?: 0
}
