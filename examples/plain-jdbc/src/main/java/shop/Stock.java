package shop;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Keeps the stock. */
final class Stock {
    private Stock() {}

    /** Takes one piece of the item that was ordered, in the transaction that records the message. */
    static Verdict take(Connection tx, InboundMessage message) throws SQLException {
        try (PreparedStatement statement =
                tx.prepareStatement("update stock set pieces = pieces - 1 where item = ? and pieces > 0")) {
            statement.setString(1, message.text());
            return statement.executeUpdate() == 1
                    ? Verdict.done()
                    : Verdict.deadLetter("OutOfStock", "There is no " + message.text());
        }
    }
}
