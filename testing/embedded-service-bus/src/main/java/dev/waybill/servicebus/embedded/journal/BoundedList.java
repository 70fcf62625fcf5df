package dev.waybill.servicebus.embedded.journal;

import java.util.ArrayDeque;
import java.util.List;

final class BoundedList<T> {
    private final ArrayDeque<T> items = new ArrayDeque<>();
    private final int limit;
    private long forgotten;

    BoundedList(int limit) {
        this.limit = limit;
    }

    synchronized void add(T item) {
        if (limit == 0) {
            forgotten++;
            return;
        }
        if (items.size() == limit) {
            items.removeFirst();
            forgotten++;
        }
        items.addLast(item);
    }

    synchronized List<T> copy() {
        return List.copyOf(items);
    }

    synchronized int size() {
        return items.size();
    }

    synchronized long forgotten() {
        return forgotten;
    }

    synchronized void clear() {
        items.clear();
        forgotten = 0;
    }
}
