package dev.waybill.servicebus.embedded.mailbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.TreeMap;

/** Delivers messages by sequence number, to receivers in turn. */
final class PlainDispatch implements Dispatch {
    private final Mailbox mailbox;
    private final TreeMap<Long, Entry> ready = new TreeMap<>();
    private final ArrayDeque<Receiver> receivers = new ArrayDeque<>();

    PlainDispatch(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    void attach(Receiver receiver) {
        receivers.addLast(receiver);
    }

    void detach(Receiver receiver) {
        receivers.remove(receiver);
    }

    @Override
    public void ready(Entry entry) {
        ready.put(entry.sequenceNumber(), entry);
    }

    @Override
    public void taken(Entry entry) {
        ready.remove(entry.sequenceNumber());
    }

    @Override
    public void run() {
        int full = 0;
        while (!ready.isEmpty() && full < receivers.size()) {
            Receiver receiver = receivers.removeFirst();
            receivers.addLast(receiver);
            if (receiver.capacity() > 0) {
                full = 0;
                mailbox.handOver(ready.firstEntry().getValue(), receiver);
            } else {
                full++;
            }
        }
    }

    @Override
    public int receivers() {
        return receivers.size();
    }

    @Override
    public void close(Refused why) {
        for (Receiver receiver : new ArrayList<>(receivers)) {
            receiver.lost(why);
        }
        receivers.clear();
    }
}
