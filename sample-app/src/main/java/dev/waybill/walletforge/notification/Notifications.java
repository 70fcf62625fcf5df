package dev.waybill.walletforge.notification;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.ledger.Booking;
import dev.waybill.walletforge.ledger.LedgerEvent;
import dev.waybill.walletforge.servicebus.Entities;

/** Writes to customers whose bookings were declined. */
public final class Notifications {
    private Notifications() {}

    /**
     * Reads the events whose audience is the customer. The mail is sent before the transaction commits: after a crash between the
     * two it is sent again, under the same key.
     */
    public static InboxConsumer.Builder consumer(Installation installation, Mailer mailer) {
        var source = installation.bus().subscription(Entities.NOTIFICATIONS);
        return installation.consumer("notifications", source, (tx, message) -> {
            LedgerEvent event = LedgerEvent.read(message);
            mailer.send("declined-" + event.entryId(), mail(event.booking()));
            return Verdict.done();
        });
    }

    private static String mail(Booking booking) {
        return "To: the owner of " + booking.walletId() + "\nSubject: Declined\n\nYour "
                + booking.kind().label() + " of " + booking.amountCents() + " cents was declined.\n";
    }
}
