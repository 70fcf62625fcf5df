-- The grants of Role.RELAY that the current role lacks. Unknown objects yield null and are omitted.
select p.privilege, n.object
from (values
    ('outbox_destination', array['insert', 'select', 'update']),
    ('outbox_held_message', array['delete', 'insert', 'select', 'update']),
    ('outbox_hold', array['delete', 'insert', 'select', 'update']),
    ('outbox_message', array['delete', 'insert', 'select']),
    ('outbox_scheduled', array['delete', 'select', 'update']),
    ('outbox_seq', array['select', 'update', 'usage']),
    ('relay', array['delete', 'insert', 'select', 'update'])
  ) as n (object, privileges)
cross join unnest(n.privileges) as p (privilege)
where case n.object
    when 'outbox_seq' then has_sequence_privilege(to_regclass('waybill.' || n.object)::oid, p.privilege)
    else has_table_privilege(to_regclass('waybill.' || n.object)::oid, p.privilege)
  end is false
order by n.object collate "C", p.privilege collate "C"
