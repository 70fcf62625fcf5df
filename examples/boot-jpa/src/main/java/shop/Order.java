package shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "orders")
class Order {
    @Id
    private String id;

    private String item;

    protected Order() {}

    Order(String id, String item) {
        this.id = id;
        this.item = item;
    }
}
