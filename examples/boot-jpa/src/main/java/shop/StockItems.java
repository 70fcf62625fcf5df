package shop;

import org.springframework.data.jpa.repository.JpaRepository;

interface StockItems extends JpaRepository<StockItem, String> {}
