package shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "stock")
class StockItem {
    @Id
    private String item;

    private int pieces;

    protected StockItem() {}

    int pieces() {
        return pieces;
    }

    void take() {
        if (pieces == 0) {
            throw new IllegalStateException("There is no " + item);
        }
        pieces--;
    }
}
