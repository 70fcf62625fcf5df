package shop

import dev.waybill.inbox.Handler
import dev.waybill.inbox.Verdict
import dev.waybill.outbox.Outbox
import dev.waybill.outbox.OutboxMessage
import java.sql.Connection
import javax.sql.DataSource

/** Places orders. */
class Shop(private val dataSource: DataSource, private val outbox: Outbox) {
    /** The order and its message are committed together, or neither is. */
    fun place(order: String, item: String, note: String?) = dataSource.transaction { tx ->
        tx.update("insert into orders values (?, ?)", order, item)
        val message = OutboxMessage.to("orders").id(order).session(item).text(item)
        note?.let { message.header("note", it) }
        outbox.append(tx, message.build())
    }
}

/** Takes ordered goods from the stock, in the transaction that records the message. */
val stock: Handler = Handler.onConnection { tx, message ->
    // A message need not have a subject; its body is never null.
    val subject: String? = message.subject().orElse(null)
    when {
        subject != null -> Verdict.deadLetter("UnknownSubject", "The stock knows no $subject")
        tx.update("update stock set pieces = pieces - 1 where item = ?", message.text()) == 1 -> Verdict.done()
        else -> Verdict.deadLetter("UnknownItem", "There is no ${message.text()}")
    }
}

/** Commits what is done in it, or rolls back what has failed. */
fun <T> DataSource.transaction(work: (Connection) -> T): T = connection.use { tx ->
    tx.autoCommit = false
    try {
        work(tx).also { tx.commit() }
    } catch (e: Throwable) {
        tx.rollback()
        throw e
    }
}

fun Connection.update(sql: String, vararg values: Any): Int = prepareStatement(sql).use { statement ->
    values.forEachIndexed { i, value -> statement.setObject(i + 1, value) }
    statement.executeUpdate()
}
