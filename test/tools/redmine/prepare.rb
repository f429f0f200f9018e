# Run once in a fresh database, inside Redmine: what its REST interface can't set up. What it leaves is kept for later
# instances, each of which gets a host and a key of its own.
Redmine::DefaultData::Loader.load("en") if Redmine::DefaultData::Loader.no_data?

Setting.rest_api_enabled = "1"
Setting.login_required = "0"
Setting.self_registration = "0"
Setting.attachment_max_size = (200 * 1024).to_s
Setting.host_name = ENV.fetch("PORTAGE_HOST")
Setting.text_formatting = "textile"
# Every event that Redmine can mail about: silence must be the connector's doing.
Setting.notified_events = Redmine::Notifiable.all.map(&:name)

admin = User.find_by_login("admin")
admin.password = admin.password_confirmation = ENV.fetch("PORTAGE_PASSWORD")
admin.must_change_passwd = false
admin.mail_notification = "all"
admin.save!

field = IssueCustomField.find_or_initialize_by(name: "External ID")
field.attributes = {
  field_format: "string", is_for_all: true, is_filter: true, searchable: true, tracker_ids: Tracker.pluck(:id)
}
field.save!
admin.api_key
