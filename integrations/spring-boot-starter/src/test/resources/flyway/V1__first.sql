create table made_by_flyway (id int);
