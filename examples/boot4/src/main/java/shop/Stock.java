package shop;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Keeps the stock. */
@Service
public class Stock {
    private final StockItems items;

    Stock(StockItems items) {
        this.items = items;
    }

    // The row is written by a flush before the commit, in the message's transaction.
    @Transactional
    public void take(String item) {
        items.findById(item).orElseThrow().take();
    }

    @Transactional(readOnly = true)
    public int pieces(String item) {
        return items.findById(item).orElseThrow().pieces();
    }
}
